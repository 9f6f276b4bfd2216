"""Methods for features that arrive one by one, one file each, and several sets in one pass."""

from altfs.kinds.streams.base import Column, Decision, Group, Method, State
from altfs.kinds.streams.methods.cascade import Cascade

__all__ = ["Cascade", "Column", "Decision", "Group", "Method", "State"]
