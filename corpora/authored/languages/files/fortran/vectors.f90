module vectors
    implicit none

    type :: vector
        real :: x, y
    end type vector

contains

    function length_of(v) result(length)
        type(vector), intent(in) :: v
        real :: length
        length = sqrt(v%x**2 + v%y**2)
    end function length_of

    subroutine scale_vector(v, factor)
        type(vector), intent(inout) :: v
        real, intent(in) :: factor
        v%x = v%x * factor
        v%y = v%y * factor
    end subroutine scale_vector

end module vectors
