"""Where to look: graph store, linking, embedding, region, patient matching and evidence."""
