"""What files hold, read and written: parameters, texts of attributes, images."""
