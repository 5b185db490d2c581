"""How the weights of the cube network (`vision/read/cubes.npz`) come about: simulated editions, and a fit to them.

Nobody who plays needs this. `python -m companion.fitting --help`.
"""
