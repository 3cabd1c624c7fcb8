"""Texts of the rules about clusters."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "kubernetes.delete",
        reason="It deletes resources of the cluster, and what they hold.",
        instead="{look}",
        do_not="scale to zero, patch finalizers or call the API instead.",
        intent="manual_only",
        pack="kubernetes",
        denied=(
            "kubectl delete ns prod",
            "kubectl delete -f app.yaml",
            "kubectl delete pvc --all",
            "kubectl drain n1 --delete-emptydir-data",
        ),
        allowed=(
            "kubectl delete pod x",
            "kubectl delete job x",
            "kubectl get ns",
            "kubectl delete ns prod --dry-run=client",
        ),
    ),
    Rule(
        "kubernetes.release-delete",
        reason="It takes an installed release away, with what belongs to it.",
        instead="{look}",
        do_not="delete the release's resources one by one.",
        intent="manual_only",
        pack="kubernetes",
        denied=("helm uninstall r", "argocd app delete a", "flux uninstall"),
        allowed=("helm rollback r", "helm list"),
    ),
)
