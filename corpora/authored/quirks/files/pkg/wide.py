def wide_function(parameter_number_0, parameter_number_1, parameter_number_2, parameter_number_3, parameter_number_4, parameter_number_5, parameter_number_6, parameter_number_7, parameter_number_8, parameter_number_9, parameter_number_10, parameter_number_11):
    return parameter_number_0  # wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww


wide_function(*range(12))
