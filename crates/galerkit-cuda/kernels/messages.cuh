// messages.cuh: numbers that are waited for by value: PENDING (a NaN that is never published) until they are there, so
// the word that is waited for is the message and no fence is needed. Used by triangular.cu and factor.cu.

template <class R> struct Bits;
template <> struct Bits<float> { typedef unsigned Type; };
template <> struct Bits<double> { typedef unsigned long long Type; };
typedef Bits<Real>::Type Word;
constexpr unsigned PARTS = sizeof(Scalar) / sizeof(Word);
constexpr Word PENDING = ~Word(0), QUIET = PENDING >> 1;              // two NaNs
struct Message { Word part[PARTS]; };

__device__ inline float number(unsigned w) { return __uint_as_float(w); }
__device__ inline double number(unsigned long long w) { return __longlong_as_double((long long)w); }
__device__ inline unsigned word(float a) { return __float_as_uint(a); }
__device__ inline unsigned long long word(double a) { return (unsigned long long)__double_as_longlong(a); }
__device__ inline void decode(const Word *w, Real &out) { out = number(w[0]); }
__device__ inline void decode(const Word *w, Complex &out) { out = {number(w[0]), number(w[1])}; }
__device__ inline void encode(Real a, Word *w) { w[0] = word(a); }
__device__ inline void encode(Complex a, Word *w) { w[0] = word(a.re); w[1] = word(a.im); }

__device__ inline Scalar value(const Message &m) { Scalar out; decode(m.part, out); return out; }
// Each word travels whole; the two words of a complex number are waited for one by one.
__device__ inline void receive(const Scalar *p, Message &m) {
    for (unsigned w = 0; w < PARTS; ++w) m.part[w] = load_relaxed(reinterpret_cast<const Word *>(p) + w);
}
__device__ inline bool is_pending(const Message &m) { return m.part[0] == PENDING || m.part[PARTS - 1] == PENDING; }
__device__ inline void make_pending(Scalar *p) {
    for (unsigned w = 0; w < PARTS; ++w) store_relaxed(reinterpret_cast<Word *>(p) + w, PENDING);
}
__device__ inline void publish(Scalar *p, Scalar a) {
    Message m;
    encode(a, m.part);
    for (unsigned w = 0; w < PARTS; ++w)
        store_relaxed(reinterpret_cast<Word *>(p) + w, m.part[w] == PENDING ? QUIET : m.part[w]);
}
