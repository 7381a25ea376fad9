contrib_data =
