module Theta
  def self.theta_call
    EtaThing.new.eta_call
  end
end
