classdef Sensor < handle
    properties
        Readings = []
    end

    methods
        function obj = Sensor(first)
            obj.Readings = first;
        end

        function addReading(obj, value)
            obj.Readings(end + 1) = value;
        end

        function m = meanReading(obj)
            m = smooth_values(obj.Readings);
        end
    end
end
