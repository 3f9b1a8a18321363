//! The examples that `galerkit heart --help` ends with; the tests run them in this order.

/// `galerkit heart -h`
pub const HEART_SHORT: &str = "\
Examples:
  galerkit heart --geometry slab --probe 20,7,3 --probe 10,3.5,1.5 --json -
  galerkit heart --geometry slab --dx 1 --live --speed max --end 50 --journal touched.jsonl
  galerkit heart cv --dx 0.5

'galerkit heart --help' explains stimuli, geometries and the live view.";

/// `galerkit heart --help`
pub const HEART: &str = "\
Examples:
  galerkit heart --geometry slab --probe 20,7,3 --probe 10,3.5,1.5 --json -
  galerkit heart --geometry slab --dx 1 --png activation.png --film phi.png --vtu slab.vtu
  galerkit heart --geometry cable --stimulus 'box=0,0,0,6,0,0;every=450;count=2' --traces s.csv
  galerkit heart --geometry sheet --size 40,40 --dx 2 --stimulus 'sphere=20,20,0,5' --csv t.csv
  galerkit heart --geometry ventricle --dx 4 --end 40 --ecg --scar 'sphere=26,0,-10,10'
  galerkit heart --geometry slab --dx 1 --end 20 --region 'box=10,0,0,20,7,3;D=0.5' --igb phi.igb
  galerkit heart --geometry slab --dry > slab.toml
  galerkit heart --parameters slab.toml --dx 1 --end 30
  galerkit heart --geometry slab --dx 1 --live --speed max --end 50 --journal touched.jsonl
  galerkit heart --geometry slab --dx 1 --replay touched.jsonl --checkpoint state
  galerkit heart cv --dx 0.5
  galerkit heart restitution --beats 2 --couplings 600,500,450 --curves r.svg

Times are in ms, lengths in mm; phi goes from 0 (-80 mV) to 1 (+20 mV). Times of stimuli are rounded to whole steps.
Exit codes: 0 done, 2 failed, 130 interrupted.";

/// `galerkit heart cv -h`
pub const CV_SHORT: &str = "\
Examples:
  galerkit heart cv --dx 0.5
  galerkit heart cv --geometry slab --dx 1 --json -

'galerkit heart cv --help' says what is measured.";

/// `galerkit heart cv --help`
pub const CV: &str = "\
Examples:
  galerkit heart cv --dx 0.5
  galerkit heart cv --dx 0.5 --dt 0.645 --json -
  galerkit heart cv --geometry slab --dx 1 --d-iso 0.5 --d-ani 0.5 --fibre 0,1,0
  galerkit heart cv --geometry slab --dx 1 --json -
  galerkit heart cv --dx 1 --recovery on

The front starts as the exact one of Aliev and Panfilov's reaction at x = 8 mm. Its speed is taken between 30 and 60 mm (cable and sheet
of 80 mm) or 15 and 30 mm (slab of 40 mm), by the times at which phi passes 1/2.";

/// `galerkit heart restitution --help`
pub const RESTITUTION: &str = "\
Examples:
  galerkit heart restitution --beats 2 --couplings 600,500,450 --curves r.svg
  galerkit heart restitution --beats 1 --couplings 500,420 --dx 1 --json -

A cable of 40 mm is paced at its end; durations are those at its middle, speeds between the middle and three quarters.";

/// `galerkit heart window --help`
pub const WINDOW: &str = "\
Examples:
  galerkit heart window --size 100,100 --dx 5 --D 0.3 --alpha 0.05 --dt 0.5 --resolution 30
  galerkit heart window --size 60,60 --dx 5 --tries 2 --s2 'sphere=0,30,0,20' --json -

S1 runs once; at every timing S2 is added to it and watched until the tissue is at rest, or for --watch ms. What is still excited then is \
a re-entry. Ends of the window are found to --resolution by halving.";

/// `galerkit heart watched --help`
pub const WATCHED: &str = "\
Examples:
  galerkit heart watched --geometry slab --dx 1 --end 60 --json -
  galerkit heart watched --geometry cable --end 100

Both run as fast as they can, each twice, after 20 ms that do not count; the quicker one does. On a GPU take --every 100 and --end 10000.";

/// `galerkit reproduce heart --help`
pub const REPRODUCE_HEART: &str = "\
Examples:
  galerkit reproduce heart --device cpu --matrices none --svg figures
  galerkit reproduce heart --device cpu --matrices 'Heart 3K' --milliseconds 1 --json

The matrices are stand-ins with the published row lengths; hearts are two ventricles of about as many nodes, since the source's meshes are not \
published. Exit code 0 if fronts, fibres, spiral and slab are as known.";
