"""Texts of the rules about infrastructure as code."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "terraform.destroy",
        reason="It destroys the infrastructure that the code describes.",
        instead="{look}",
        do_not="empty the configuration and apply it instead.",
        intent="manual_only",
        pack="terraform",
        denied=(
            "terraform destroy -auto-approve",
            "terraform apply -destroy",
            "tofu destroy",
            "pulumi destroy --yes",
        ),
        allowed=("terraform plan -destroy", "terraform plan"),
    ),
    Rule(
        "terraform.state",
        reason="It changes the record of what exists, so that resources are lost or made twice.",
        instead="{look}",
        do_not="edit the state file instead.",
        intent="manual_only",
        pack="terraform",
        denied=(
            "terraform state rm r",
            "terraform state push s.tfstate",
            "terraform workspace delete -force w",
        ),
        allowed=("terraform state list", "terraform state show r"),
    ),
    Rule(
        "terraform.apply-auto-approve",
        reason="It changes infrastructure without anybody having seen the plan.",
        instead="{look}",
        do_not="pipe the answer in.",
        intent="use_alternative",
        pack="terraform",
        denied=("terraform apply -auto-approve", "tofu apply -auto-approve"),
        allowed=("terraform plan -out p", "terraform apply"),
    ),
)
