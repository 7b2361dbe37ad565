module areas
    use vectors
    implicit none

contains

    function area_between(a, b) result(area)
        type(vector), intent(in) :: a, b
        real :: area
        area = length_of(a) * length_of(b)
    end function area_between

end module areas
