package dev.berth.report;

/** Something to read or to look at; the blocks of a section stand below each other. */
public sealed interface Block permits Text, Table, Chart, Grid, Details {}
