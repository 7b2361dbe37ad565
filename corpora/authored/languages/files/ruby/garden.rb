module Garden
  class Plant
    attr_accessor :height

    def initialize(height)
      @height = height
    end

    def grow_by(centimetres)
      self.height += centimetres
    end
  end

  def self.plant_row(count)
    Array.new(count) { Plant.new(1) }
  end
end
