package dev.berth.api.pipeline;

import dev.berth.api.Experimental;

/**
 * A preemption cost that depends only on the victims, their values and the time, not on the
 * beneficiary.
 *
 * <p>The engine then keeps the costs that it computed for one request and uses them for equivalent
 * requests of the same pass.
 */
@Experimental
public interface VictimCost extends PreemptionCost {}
