"""Several servers of one House on one PostgreSQL database: which runs what, and how the others
serve its players."""
