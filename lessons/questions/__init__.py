"""Questions to one learner: asked, shown, answered, practised, printed, put before a class."""
