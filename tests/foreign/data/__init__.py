"""Small files in the formats of the data that foreign programs read. Each function writes into a folder."""
