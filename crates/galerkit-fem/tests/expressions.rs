//! Expressions: values, derivatives against differences, and errors that point at the character.

use galerkit_fem::expression::{Coefficient, flux, minus_divergence};
use galerkit_fem::form::Field;
use galerkit_fem::{Error, Expression};
use galerkit_linalg::random::Random;

fn read(text: &str) -> Expression {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn values_follow_precedence() {
    let at = [3.0, 2.0, 0.5];
    for (text, value) in [
        ("1 + 2*3", 7.0),
        ("2^3^2", 512.0),
        ("-x^2", -9.0),
        ("2^-y", 0.25),
        ("x - y - z", 0.5),
        ("x/y/z", 3.0),
        ("-2*-3", 6.0),
        ("+x", 3.0),
        ("1.5e2 + 2E-1", 150.2),
        ("2e", f64::NAN), // no number and no product
        ("(x + y)*z", 2.5),
        ("x**2", 9.0),
        ("min(x, y) + max(x, y)", 5.0),
        ("if(x > y, 10, 20) + (x <= y) + (y == 2) + (y != 2)", 11.0),
        ("atan2(0, -1) - pi", 0.0),
        ("ln(e) + log(e) + log10(1000)", 5.0),
        ("hypot(x, 4) + pow(y, 3) + abs(-z) + sign(-x)", 12.5),
        ("sqrt(16) + cbrt(-27)", 1.0),
    ] {
        match text.parse::<Expression>() {
            Ok(expression) => assert!((expression.at(&at) - value).abs() < 1e-14, "{text}: {}", expression.at(&at)),
            Err(error) => assert!(value.is_nan(), "{error}"),
        }
    }
}

#[test]
fn derivatives_are_limits_of_differences() {
    let texts = "sin(x*y) + cos(z)^2; tan(x/3); asin(x/4)*acos(y/4); atan(x*y - z); sinh(x)*cosh(y) - tanh(z)
        exp(x - y*z); ln(x + y + z)*log10(x); sqrt(x^2 + y)*cbrt(z + x); abs(y - 5*x); atan2(x + y, y - x*z)
        hypot(x, y*z); x^y; pow(x, z); x^-1.5*y^3*z^0; x^1 + y^2; 1/(x*y); min(x*y, z)*max(x, y^2); if(x > y, x^3, y^3)
        (x^2+y^2)^(1/3)*cos(2/3*atan2(x+y,y-x)); x*y*z*(x^2+y^2+z^2)^(-5/4)";
    let mut random = Random::new(3);
    for text in texts.split([';', '\n']).map(str::trim) {
        let f = read(text);
        let x = [0; 3].map(|_| 0.5 + random.unit());
        let (jet, h) = (f.jet(&x), 1e-4);
        let moved = |a: usize, by: f64, b: usize, along: f64| {
            let mut y = x;
            y[a] += by;
            y[b] += along;
            f.at(&y)
        };
        assert_eq!(jet.value.to_bits(), f.at(&x).to_bits(), "{text}");
        for a in 0..3 {
            let slope = (moved(a, h, 0, 0.0) - moved(a, -h, 0, 0.0)) / (2.0 * h);
            assert!((slope - jet.gradient[a]).abs() < 1e-6 * (1.0 + slope.abs()), "{text} by {a}: {slope}");
            for b in 0..3 {
                let second =
                    (moved(a, h, b, h) - moved(a, h, b, -h) - moved(a, -h, b, h) + moved(a, -h, b, -h)) / (4.0 * h * h);
                assert!((second - jet.hessian[a][b]).abs() < 1e-5 * (1.0 + second.abs()), "{text} by {a}, {b}");
            }
        }
    }
}

#[test]
fn polynomials_have_derivatives_at_zero() {
    let jet = read("x^2 + y + z^1 + x*y").jet(&[0.0; 3]);
    assert_eq!(jet.gradient, [0.0, 1.0, 1.0]);
    assert_eq!(jet.hessian, [[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]]);
    assert_eq!(read("sqrt(4)*x").jet(&[1.0; 3]).gradient, [2.0, 0.0, 0.0]);
}

#[test]
fn data_follow_from_a_solution() {
    let (u, kappa) = (read("x^2*y"), read("1 + x"));
    let x = [2.0, 3.0, 0.0];
    // grad u = (2 x y, x^2), div((1 + x) grad u) = 2 y (1 + x) + 2 x y
    assert_eq!(flux(&u, &kappa, &x), [36.0, 12.0, 0.0]);
    assert_eq!(minus_divergence(&u, &kappa, &x), -30.0);
}

#[test]
fn what_depends_on_nothing_is_a_constant() {
    assert!(matches!(Field::from(read("2*pi - sqrt(4)")), Field::Constant(_)));
    assert!(matches!(Field::from(read("0*x")), Field::Function(_)));
    assert!(read("x + z").depends_on(2) && !read("x + z").depends_on(1));
}

#[test]
fn errors_point_at_the_character() {
    for (text, place, words) in [
        ("", 0, "empty"),
        ("  ", 0, "empty"),
        ("2*foo(x)", 2, "unknown name 'foo'; known are x, y, z, pi, e, sin"),
        ("sin x", 4, "sin(...)"),
        ("sin", 3, "sin(...)"),
        ("1 + ", 4, "missing at the end"),
        ("(x + 1", 0, "not closed"),
        ("x + sin(y", 7, "not closed"),
        ("x)", 1, "closes none"),
        ("2x", 1, "products are written with *"),
        ("x, y", 1, "comma"),
        ("x ? y", 2, "'?' means nothing"),
        ("1.2.3", 0, "'1.2.3' is no number"),
        ("x * / y", 4, "'/' came"),
        ("atan2(x)", 0, "atan2 takes 2 arguments, 1 came"),
        ("sin(x, y)", 0, "sin takes 1 argument, 2 came"),
        ("π*x", 0, "unknown name 'π'"),
        (&"(".repeat(300), 201, "200 parentheses"),
        (&"-".repeat(300), 201, "200 parentheses"),
    ] {
        let error = text.parse::<Expression>().unwrap_err();
        assert!(matches!(&error, Error::Expression { at, .. } if *at == place), "{text:.20}: {error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.to_string().ends_with(&format!("\n  {}^", " ".repeat(place))), "{error}");
    }
}

#[test]
fn coefficients_are_scalars_or_matrices() {
    let (u, x): (Expression, _) = ("x^2*y + z^2".parse().unwrap(), [2.0, 3.0, 1.0]);
    let plane: Coefficient = "1+x, y, 2".parse().unwrap();
    assert_eq!((plane.dim(), plane.at(&x)), (Some(2), [[3.0, 3.0, 0.0], [3.0, 2.0, 0.0], [0.0; 3]]));
    // grad u = (2 x y, x^2, 2 z): flux (3 * 12 + 3 * 4, 3 * 12 + 2 * 4)
    assert_eq!(plane.flux(&u, &x), [48.0, 44.0, 0.0]);
    // div: d_x kappa_xx u_x + kappa_xx u_xx + 2 kappa_xy u_xy + d_y kappa_xy u_x + kappa_yy u_yy
    assert_eq!(plane.minus_divergence(&u, &x).0, -(12.0 + 3.0 * 6.0 + 2.0 * 3.0 * 4.0 + 12.0));
    let space: Coefficient = "1,0,0,1,0,max(z,2)".parse().unwrap();
    assert_eq!((space.dim(), space.flux(&u, &x)), (Some(3), [12.0, 4.0, 4.0]));
    let scalar: Coefficient = "hypot(3,4)".parse().unwrap();
    assert_eq!((scalar.dim(), scalar.flux(&u, &x)), (None, [60.0, 20.0, 10.0]));
    for (text, place) in [("1,2,3,4", 7), ("1,,2", 2), ("1, (2, 3", 5)] {
        match text.parse::<Coefficient>() {
            Err(Error::Expression { at, text: whole, .. }) => assert_eq!((at, &whole[..]), (place, text)),
            other => panic!("{text}: {other:?}"),
        }
    }
}
