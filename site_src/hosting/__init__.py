"""What hosts are told about the built site."""
