package dev.berth.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPreempted;
import java.time.Duration;
import java.util.Optional;

/**
 * Why an instance is where it is at some time, under some policy.
 *
 * @param policy id of the policy
 * @param config its effective configuration
 * @param at the time
 * @param accounting what the instance got so far
 * @param whyPending why it waits, if it does
 * @param whyHere why it is on its host, if it is on one
 * @param whyPreempted why it was last preempted, if it was and the log still holds it
 * @param whyMigrated what moved it to its host, if it was not placed there
 * @param whyAdjusted what else was done to it last, if anything and the log still holds it
 */
public record Explanation(
    String policy,
    JsonNode config,
    Duration at,
    Accounting accounting,
    Optional<WhyPending> whyPending,
    Optional<WhyHere> whyHere,
    Optional<WhyPreempted> whyPreempted,
    Optional<ActionRecord> whyMigrated,
    Optional<ActionRecord> whyAdjusted) {}
