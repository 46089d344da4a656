"""A session's page: what there is to say, its panels, its chapters."""
