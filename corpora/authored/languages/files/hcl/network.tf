variable "region_name" {
  type    = string
  default = "north"
}

locals {
  full_name = "net-${var.region_name}"
}

resource "virtual_network" "main_net" {
  name  = local.full_name
  range = cidrsubnet("10.0.0.0/8", 8, 1)
}

module "gateway_module" {
  source  = "./gateway"
  network = virtual_network.main_net.id
}
