class EtaThing
  def eta_call
    zeta_large(1)
  end
end
