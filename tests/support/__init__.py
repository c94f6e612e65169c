"""What several tests share: fake servers and small programs."""
