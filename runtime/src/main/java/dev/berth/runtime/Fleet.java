package dev.berth.runtime;

import dev.berth.api.fleet.Observation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * The machines of an embedder, which a {@link SchedulerLoop} has carry out its plans.
 *
 * <p>The loop calls from its own thread, so each method returns at once and does its work
 * elsewhere. The stages may complete on any thread. What becomes of an instance later (started,
 * failed, completed) is reported to the loop as an {@link dev.berth.core.event.Event}.
 *
 * <p><b>Repeated calls.</b> The loop repeats an action that failed or took too long, with the same
 * id. It may also repeat one after a restart. A fleet that remembers the ids of the actions it has
 * begun need not begin one twice.
 */
public interface Fleet {

  /**
   * Begins an action. The stage completes once the action is carried out:
   *
   * <table>
   *   <caption>When actions are carried out</caption>
   *   <tr><th>action</th><th>once</th></tr>
   *   <tr><td>place, resume, migrate</td><td>the host has taken the instance, which has left the
   *       host that it was on; it need not have started</td></tr>
   *   <tr><td>preempt, evict, stop</td><td>the instance has left the host</td></tr>
   *   <tr><td>pause, suspend</td><td>the instance no longer runs, and its host has what it gives
   *       back</td></tr>
   *   <tr><td>resize</td><td>the instance has its new grant</td></tr>
   *   <tr><td>provision, release</td><td>the provider has accepted it; that hosts are up or gone is
   *       an event</td></tr>
   *   <tr><td>assign, reject, cancel</td><td>the embedder has noted it</td></tr>
   * </table>
   *
   * <p>From when the fleet reports that a host {@linkplain dev.berth.api.Taint#UNREACHABLE cannot
   * be reached} until it reports that it can, it must not begin anything there, nor later carry out
   * what it had begun there and not finished. The loop waits for none of that.
   *
   * <p>{@link LoopSettings#actionTimeout} is for all of them. Let it be longer than the slowest
   * usually takes.
   *
   * @param id the id of the action, which is the same whenever it is repeated
   * @param action the action
   * @return completes with any value, or with an {@link ActionImpossibleException} if repeating the
   *     action is of no use, or with another error if it may succeed later
   */
  CompletionStage<?> carryOut(ActionId id, Action action);

  /**
   * Takes an action back: undoes what was done of it, and forgets the rest. The scheduler has
   * undone it, because it or an action that it depends on was rejected, or the loop has given it up
   * and will ask what came of it. Reports of what was begun, such as failed starts, must not arrive
   * any more: the number of the attempt may be used again. It may be an action that was carried
   * out, if no report has confirmed it yet. It may be called again for an id, which changes
   * nothing.
   */
  void takeBack(ActionId id, Action action);

  /**
   * Stops an instance for good: it was cancelled, or it is a stray {@linkplain Attempt attempt}
   * beside the present one, as on a host that was out of reach. The stage completes once it is not
   * on the host, also if it never was. Until then nothing starts there, and the loop repeats a stop
   * that failed or took too long, also after a restart. If actions were to move the instance, this
   * is called for each host that it may be on.
   *
   * @param instance its id
   * @param attempt the attempt; empty for any
   * @param host the host that it was on
   * @return completes with any value, or with an error if it may succeed later
   */
  CompletionStage<?> stop(String instance, OptionalInt attempt, String host);

  /**
   * Returns what there is: all hosts that are up, and all instances on them. A host that cannot be
   * reached has the taint of {@link dev.berth.api.Taint#unreachable()}, and its instances are left
   * out. An instance that an action may be changing is among those {@linkplain Observation#underWay
   * under way}; the loop adds those of the actions that it knows to be under way itself. After a
   * restart, the first pass waits until the fleet is about no instance without an action of the
   * loop, for at most the {@link LoopSettings#busyTimeout}: each action must end by then.
   */
  CompletionStage<Observation> observe();
}
