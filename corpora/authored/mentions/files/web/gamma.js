function gamma_ray(value) {
  return delta_wave(value);
}
