//! Words with a special meaning in Fortran, in lower case.

use std::sync::LazyLock;

use crate::words::Words;

/// The meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A statement word or a type, which is not a name.
    Keyword,
    /// A built-in procedure: a name that includes the white space after it.
    Intrinsic,
}

const KEYWORDS: &str = "abstract accept all allocatable allocate allstop array assign associate asynchronous \
    backspace bind block blockdata byte call case class close codimension common contains \
    contiguous continue critical cycle data deallocate decode deferred dimension do \
    elemental else elseif encode end endassociate endblock enddo endenum endforall \
    endfunction endif endinterface endmodule endprogram endselect endsubmodule endsubroutine \
    endtype endwhere entry enum enumerator equivalence exit extends external extrinsic file \
    final forall format function generic if images implicit import impure include inquire \
    intent interface intrinsic is lock memory module namelist non_intrinsic non_overridable \
    none nopass nullify only open optional options parameter pass pause pointer print \
    private procedure program protected public pure read recursive result return rewind save \
    select sequence stop submodule subroutine sync syncall syncimages syncmemory target then \
    type unlock use value volatile where while write c_bool c_char c_double c_double_complex \
    c_float c_float_complex c_funptr c_int c_int16_t c_int32_t c_int64_t c_int8_t \
    c_int_fast16_t c_int_fast32_t c_int_fast64_t c_int_fast8_t c_int_least16_t \
    c_int_least32_t c_int_least64_t c_int_least8_t c_intmax_t c_intptr_t c_long \
    c_long_double c_long_double_complex c_long_long c_ptr c_short c_signed_char c_size_t \
    character complex integer logical real";

const INTRINSICS: &str = "abort abs access achar acos acosh adjustl adjustr aimag aint alarm all allocated alog \
    amax amin amod and anint any asin asinh associated atan atanh atomic_define atomic_ref \
    besj besjn bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn besy besyn bge \
    bgt bit_size ble blt btest c_alert c_associated c_backspace c_carriage_return \
    c_f_pointer c_f_procpointer c_form_feed c_funloc c_horizontal_tab c_loc c_new_line \
    c_null_char c_null_funptr c_null_ptr c_sizeof c_vertical_tab cabs ccos ceiling cexp char \
    chdir chmod clog cmplx command_argument_count complex conjg cos cosh count cpu_time \
    cshift csin csqrt ctime dabs dacos dasin datan date_and_time dbesj dbesjn dbesy dbesyn \
    dble dcos dcosh ddim derf derfc dexp digits dim dint dlog dmax dmin dmod dnint \
    dot_product dprod dshiftl dshiftr dsign dsin dsinh dsqrt dtan dtanh dtime eoshift \
    epsilon erf erfc erfc_scaled etime execute_command_line exit exp exponent \
    extends_type_of fdate fget fgetc findloc float floor flush fnum fput fputc fraction \
    fseek fstat ftell gamma gerror get_command get_command_argument get_environment_variable \
    getarg getcwd getenv getgid getlog getpid getuid gmtime hostnm huge hypot iabs iachar \
    iall iand iany iargc ibclr ibits ibset ichar idate idim idint idnint ieor ierrno ifix \
    imag image_index imagpart index int ior iparity irand is_contiguous is_iostat_end \
    is_iostat_eor isatty ishft ishftc isign iso_c_binding itime kill kind lbound lcobound \
    len len_trim lge lgt link lle llt lnblnk loc log log_gamma logical long lshift lstat \
    ltime maskl maskr matmul max maxexponent maxloc maxval mclock merge merge_bits min \
    minexponent minloc minval mod modulo move_alloc mvbits nearest new_line nint norm2 not \
    null num_images or pack parity perror precision present product radix rand random_number \
    random_seed range real realpart rename repeat reshape rrspacing rshift same_type_as \
    scale scan second selected_char_kind selected_int_kind selected_real_kind set_exponent \
    shape shifta shiftl shiftr short sign signal sin sinh sleep sngl spacing spread sqrt \
    srand stat storage_size sum symlnk system system_clock tan tanh this_image time tiny \
    trailz transfer transpose trim ttynam ubound ucobound umask unlink unpack verify xor \
    zabs zcos zexp zlog zsin zsqrt";

/// The words of Fortran. A word in both groups is a keyword.
pub(super) static WORDS: LazyLock<Words<Word>> =
    LazyLock::new(|| Words::new(&[(Word::Keyword, KEYWORDS), (Word::Intrinsic, INTRINSICS)]));
