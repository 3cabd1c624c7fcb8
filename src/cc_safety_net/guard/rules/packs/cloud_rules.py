"""Texts of the rules about clouds."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "cloud.aws-delete",
        reason="It deletes resources of the account.",
        instead="{look}",
        do_not="delete them by another tool, an API call or an expiry rule.",
        intent="manual_only",
        pack="cloud",
        denied=(
            "aws s3 rm s3://b --recursive",
            "aws ec2 terminate-instances --instance-ids i-1",
            "aws s3 rb s3://b --force",
        ),
        allowed=(
            "aws s3 ls",
            "aws s3 rm s3://b --recursive --dryrun",
            "aws --endpoint-url http://localhost:4566 s3 rb s3://b --force",
        ),
    ),
    Rule(
        "cloud.gcloud-delete",
        reason="It deletes resources of the project.",
        instead="{look}",
        do_not="delete them by another tool or an API call.",
        intent="manual_only",
        pack="cloud",
        denied=(
            "gcloud projects delete p",
            "gsutil -m rm -r gs://b",
            "gcloud compute instances delete i",
        ),
        allowed=("gcloud projects list", "gsutil ls"),
    ),
    Rule(
        "cloud.az-delete",
        reason="It deletes resources of the subscription.",
        instead="{look}",
        do_not="delete them by another tool or an API call.",
        intent="manual_only",
        pack="cloud",
        denied=("az group delete -n g", "az storage blob delete-batch -s c"),
        allowed=("az group list", "az vm list"),
    ),
    Rule(
        "cloud.other-delete",
        reason="It deletes resources of the account.",
        instead="{look}",
        do_not="delete them by another tool or an API call.",
        intent="manual_only",
        pack="cloud",
        denied=("heroku apps:destroy a", "doctl compute droplet delete 1", "rclone purge r:b"),
        allowed=("heroku apps", "rclone ls r:b"),
    ),
)
