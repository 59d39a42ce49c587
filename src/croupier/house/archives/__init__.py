"""Archives: closed days of the record, moved from the database to files that are read as before."""
