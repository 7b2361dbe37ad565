require_relative 'garden'

class Season < Struct.new(:rain)
  def water_all(plants)
    plants.each { |plant| plant.grow_by(rain) }
  end

  alias soak_all water_all
end

Season.new(3).water_all(Garden.plant_row(2))
