//! Every contract of Deed as a documented type
