"""Files of named tasks (package.json, makefiles, justfiles, …): each a module with `run`."""
