"""Self-protection: nobody but the person changes the guard, its files and its place in an agent.

Specification of the guard, section 12. `paths` judges what is changed, `commands` what is called.
"""
