import fleet.Garage
import fleet.Truck

fun parkTrucks(count: Int) {
    repeat(count) {
        Garage.park(Truck())
    }
}

typealias Parker = (Int) -> Unit

val parker: Parker = ::parkTrucks
parkTrucks(2)
