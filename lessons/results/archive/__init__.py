"""A session's data as one file for who goes on with them: tables, codebook, programs."""
