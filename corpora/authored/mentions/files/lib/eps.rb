def epsilon_small(value)
  zeta_large(value)
end
