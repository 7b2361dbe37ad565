output "network_id" {
  value = virtual_network.main_net.id
}

data "virtual_image" "base_image" {
  name  = lower(var.region_name)
  owner = module.gateway_module.owner
}
