function out = smooth_values(values)
    out = sum(values) / count_values(values);
end

function n = count_values(values)
    n = numel(values);
end
