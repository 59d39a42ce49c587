-- Which tables and links there are is in the log of the office. Nothing ever stood in this table.

DROP TABLE places;
