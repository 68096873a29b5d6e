//! JsonLogic compiled once, evaluated many times, explained and checked before it runs
