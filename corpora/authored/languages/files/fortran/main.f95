program measure
    use vectors
    implicit none
    type(vector) :: v
    v = vector(3.0, 4.0)
    call report_length(v)

contains

    subroutine report_length(v)
        type(vector), intent(inout) :: v
        call scale_vector(v, 2.0)
        print *, length_of(v)
    end subroutine report_length

end program measure
