"""A training task with exact truth, and the report of runs on it.

`task.py` makes the rows, `truth.py` decides by the task's own construction whether a response is right, `report.py`
holds a run's rewards against that truth. Nothing here asks the library: it is what the library is measured by.
"""
