package fleet

interface Vehicle {
    val wheels: Int
    fun drive(distance: Int): Int
}

data class Truck(override val wheels: Int = 6) : Vehicle {
    override fun drive(distance: Int): Int = distance * wheels
}

object Garage {
    private val vehicles = mutableListOf<Vehicle>()

    fun park(vehicle: Vehicle) {
        vehicles.add(vehicle)
    }
}

enum class Fuel { DIESEL, ELECTRIC }
