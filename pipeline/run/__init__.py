"""One run of `codequarry index`: from sources to a published snapshot and a summary."""

from .indexing import run
from .memory import Memory, default_memory
from .options import IndexOptions, default_jobs
from .planning import PlannedRun, plan_only
from .stopping import stopped_by_signal

__all__ = ["IndexOptions", "Memory", "PlannedRun", "default_jobs", "default_memory", "plan_only", "run", "stopped_by_signal"]
