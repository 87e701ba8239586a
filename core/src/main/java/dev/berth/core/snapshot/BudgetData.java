package dev.berth.core.snapshot;

/**
 * A {@link dev.berth.api.DisruptionBudget} of a job, which need not have instances.
 *
 * @param job the job
 * @param limit name of what is limited
 * @param members the limit
 */
public record BudgetData(String job, String limit, int members) {}
