"""Rules for services: containers, clusters, infrastructure, clouds, registries, databases."""
