"""Methods for features that arrive one by one, one file each, and several sets in one pass."""

from altfs.streams.base import Column, Decision, Group, Method, State
from altfs.streams.cascade import Cascade

__all__ = ["Cascade", "Column", "Decision", "Group", "Method", "State"]
