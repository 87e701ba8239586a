package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Backoff;
import dev.berth.api.Drain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.ActionId;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.runtime.LoopEngine.Message;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.ForceMode;
import dev.berth.runtime.journal.Journal;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalDamagedException;
import dev.berth.runtime.journal.JournalSnapshot;
import dev.berth.runtime.journal.SimulatedDisk;
import dev.berth.runtime.journal.SnapshotContent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A loop, its users, its fleet and its disk in simulated time, from one seed, turn by turn and
 * without threads. The loop crashes with its disk, and starts again; users and fleet live on.
 *
 * <p>It checks at each recovery: what was answered is in the journal, the passes of all actions
 * that the fleet received are, and state and open actions are those that the loop had at that
 * record, or those after all records until there. At each step, no host holds more than its
 * capacity, and no instance is started where another copy of it is. It checks at the end: {@link
 * #checkEnd}.
 */
final class LoopWorld {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").importance(2).build();
  private static final ServiceClass BRONZE = ServiceClass.builder("bronze").importance(1).build();
  private static final long SECOND = 1_000_000_000L;

  /** Ends the process; no code of the loop may catch it. */
  static final class Died extends Error {
    private static final long serialVersionUID = 1;

    Died(Throwable cause) {
      super(cause);
    }
  }

  /** What a loop had at a record of its journal. */
  record Mark(long digest, Set<ActionId> open) {}

  private final long seed;
  private final Random random; // of the world
  private final Random fates; // of crashes; not drawn from before the first
  private final Random clocks; // of jumps of the loop's clock
  private long offset; // of that clock
  final SimulatedTime time = new SimulatedTime();
  final SimulatedDisk disk;
  final SimulatedFleet fleet;
  private final long faultsUntil;
  private final FileJournalOptions options;
  private final LoopSettings settings;
  private final Map<Long, Mark> expected; // by record, of the run without crashes
  private long shared = Long.MAX_VALUE; // up to this record both runs are the same

  final List<byte[]> records = new ArrayList<>();
  final Map<Long, Mark> marks = new TreeMap<>();
  private final Map<String, Long> recordsOf = new HashMap<>(); // by input in words
  private final Map<Long, Long> recordsOfPasses = new HashMap<>();
  private long mustBeThere; // number of the last record that followed something visible
  private long lastForcedBefore; // up to this record by all forces but the last
  private final List<Runnable> unanswered = new ArrayList<>();
  private int resending; // after a restart
  private final Set<String> submitted = new LinkedHashSet<>(); // and answered
  private final Set<String> cancelled = new HashSet<>(); // and answered
  private final Set<String> limited = new HashSet<>(); // their run times
  private Life life;
  private int lives;
  private long crashes;
  private long failures; // of the disk, without a crash
  private AssertionError failed; // in the answer of a future

  LoopWorld(long seed, Map<Long, Mark> expected) {
    this.seed = seed;
    this.expected = expected;
    random = new Random(seed);
    fates = new Random(seed * 31 + 7);
    clocks = new Random(seed * 17 + 3);
    disk = new SimulatedDisk(seed);
    faultsUntil = (30 + random.nextInt(90)) * SECOND;
    fleet = new SimulatedFleet(seed + 1, time, new Post(), faultsUntil);
    fleet.onAction((id, action) -> handedOut(id));
    options =
        FileJournalOptions.defaults()
            .withForceMode(random.nextInt(4) == 0 ? ForceMode.EACH : ForceMode.GROUP)
            .withSegmentSize(1000 + random.nextInt(10_000))
            .withMaxRecordSize(100_000)
            .withSnapshotsKept(1 + random.nextInt(2));
    Duration interval = random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(300);
    settings =
        LoopSettings.defaults()
            .withUnderWayPerHost(1 + random.nextInt(3))
            .withAttempts(
                1 + random.nextInt(3),
                Duration.ofSeconds(8),
                new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(6)))
            .withPassInterval(interval)
            .withReconciliation(true, Optional.of(Duration.ofSeconds(15 + random.nextInt(30))))
            .withSnapshotEvery(20 + random.nextInt(60));
    disk.writeShort(Math.floorMod(seed, 4L) == 1);
    populate();
    if (Math.floorMod(seed, 5L) == 3) {
      addGroupsAndDrains();
    }
    if (Math.floorMod(seed, 5L) % 3 == 1) {
      loseHosts();
    }
  }

  /** Returns the builder of the scheduler, which differs by seed. */
  static Scheduler.Builder scheduler(long seed) {
    Scheduler.Builder builder =
        Scheduler.builder().serviceClasses(GOLD, BRONZE).seed(seed).watchdog(Duration.ofSeconds(9));
    builder.hostBackoff(new Backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(10), 2));
    builder.instanceBackoff(new Backoff(Duration.ofNanos(1), 1, Duration.ofNanos(1), 1000));
    return switch ((int) Math.floorMod(seed, 3L)) {
      case 0 -> builder.policy("in-turn", context -> new SmallPolicies.InTurn());
      case 1 -> builder.policy("pushy", context -> new SmallPolicies.Pushy(false));
      default -> builder.policy("moody", context -> new SmallPolicies.Moody());
    };
  }

  // ---- Users

  private void populate() {
    Post post = new Post();
    Random limits = new Random(seed * 13 + 11); // the rest is as without them
    int machines = 2 + random.nextInt(3);
    for (int i = 0; i < machines; i++) {
      fleet.addMachine(new HostSpec("h" + i, Resources.of(CPU, 4)));
    }
    int requests = 5 + random.nextInt(8);
    for (int i = 0; i < requests; i++) {
      String id = "r" + i;
      Resources demand = Resources.of(CPU, 1 + random.nextInt(3));
      fleet.know(id, demand);
      Request.Builder request =
          Request.builder(id, random.nextInt(3) == 0 ? "gold" : "bronze").demand(demand);
      if (Math.floorMod(seed, 7L) == 2 && limits.nextBoolean()) {
        request.maxRunTime(Duration.ofSeconds(1 + limits.nextInt(15)));
        limited.add(id);
      }
      boolean isCancelled = random.nextInt(6) == 0;
      long cancelAfter = random.nextInt(30) * SECOND;
      time.after(
          random.nextInt(40) * SECOND + random.nextInt(1000) * 1_000_000L,
          () ->
              post.untilAnswered(
                  new Event.Submitted(request.build()),
                  error -> {
                    submitted.add(id);
                    if (isCancelled) {
                      time.after(cancelAfter, () -> cancel(post, id));
                    }
                  }));
    }
  }

  /** Gangs of small requests; hosts that are drained, waiting or moving, and opened again. */
  private void addGroupsAndDrains() {
    Post post = new Post();
    Random draws = new Random(seed * 17 + 5); // the rest is as without them
    int groups = 1 + draws.nextInt(2);
    for (int i = 0; i < groups; i++) {
      int size = 2 + draws.nextInt(2);
      List<Request> members = new ArrayList<>();
      for (int j = 0; j < size; j++) {
        String id = "g" + i + "-" + j;
        fleet.know(id, Resources.of(CPU, 1));
        members.add(Request.builder(id, "gold").demand(Resources.of(CPU, 1)).build());
      }
      GroupSpec group = new GroupSpec("g" + i, members, 2, anyOf(GroupSpec.OnLoss.values(), draws));
      time.after(
          draws.nextInt(40) * SECOND,
          () ->
              post.untilAnswered(
                  new Event.GroupSubmitted(group),
                  error -> members.forEach(each -> submitted.add(each.id()))));
    }
    int drains = 1 + draws.nextInt(3);
    for (int i = 0; i < drains; i++) {
      String host = "h" + draws.nextInt(2);
      long from = draws.nextInt(60) * SECOND;
      long length = (1 + draws.nextInt(20)) * SECOND;
      Drain drain =
          (draws.nextBoolean() ? Drain.moving() : Drain.waiting())
              .until(time.now() + from + length / 2)
              .atDeadline(anyOf(Drain.AtDeadline.values(), draws));
      time.after(from, () -> post.once(new Event.HostDrained(host, drain)));
      time.after(
          from + length, () -> post.untilAnswered(new Event.HostUncordoned(host), error -> {}));
    }
  }

  /** Hosts that cannot be reached, for shorter and for longer than the grace. */
  private void loseHosts() {
    Random draws = new Random(seed * 17 + 11); // the rest is as without them
    int losses = 2 + draws.nextInt(4);
    for (int i = 0; i < losses; i++) {
      String host = "h" + draws.nextInt(2);
      long length = (1 + draws.nextInt(25)) * SECOND;
      Taint lost = Taint.unreachable(Duration.ofSeconds(draws.nextInt(15)));
      time.after(draws.nextInt(60) * SECOND, () -> fleet.lose(host, length, lost));
    }
  }

  private static <T> T anyOf(T[] values, Random draws) {
    return values[draws.nextInt(values.length)];
  }

  private void cancel(Post post, String id) {
    post.<InstanceReport>untilAnswered(new Event.Cancelled(id), error -> cancelled.add(id));
  }

  /** Carries inputs to the present loop. */
  private final class Post implements SimulatedFleet.Courier {
    @Override
    public void once(Event<?> input) {
      if (life != null) {
        life.submit(input, error -> {});
      }
    }

    @Override
    public <R> void untilAnswered(Event<R> input, Consumer<Throwable> answered) {
      if (life == null) {
        unanswered.add(() -> untilAnswered(input, answered));
        return;
      }
      Runnable again = () -> untilAnswered(input, answered);
      unanswered.add(again);
      life.submit(
          input,
          error -> {
            unanswered.remove(again);
            answered.accept(error);
          });
    }
  }

  private void handedOut(ActionId id) {
    Long number = recordsOfPasses.get(id.pass());
    assertThat(number).as("record of the pass of action %s", id).isNotNull();
    assertThat(life.journal.kept.forcedNumber())
        .as("forced when action %s is handed out", id)
        .isGreaterThanOrEqualTo(number);
    mustBeThere = Math.max(mustBeThere, number);
  }

  // ---- Lives of the loop

  private final class Life {
    final NotingJournal journal;
    final Recovery recovery;
    final LoopEngine engine;
    final LoopClock clock;
    final List<Message> inbox = new ArrayList<>();
    long turnAt;
    boolean isOver;

    Life(NotingJournal journal) throws IOException {
      this.journal = journal;
      recovery = Recovery.of(journal, () -> scheduler(seed), false, settings.underWayPerHost());
      setClock();
      clock = new LoopClock(() -> time.now() + offset, recovery.scheduler().now());
      engine =
          new LoopEngine(
              recovery, journal, fleet, fleet.reconciler(), settings, clock, this::receive);
      turnAt = time.now();
      if (clocks.nextInt(3) == 0) {
        time.after(clocks.nextInt(300) * SECOND, LoopWorld.this::setClock);
      }
    }

    void receive(Message message) {
      if (!isOver) {
        inbox.add(message);
        turnAt = Math.min(turnAt, time.now() + 2_000_000);
      }
    }

    <R> void submit(Event<R> input, Consumer<Throwable> answered) {
      CompletableFuture<R> answer = new CompletableFuture<>();
      var unused =
          answer.whenComplete(
              (result, error) -> {
                try {
                  checkAnswered(input);
                } catch (AssertionError wrong) {
                  failed = wrong;
                }
                answered.accept(error);
              });
      receive(new LoopEngine.Submitted<>(input, answer));
    }

    private void checkAnswered(Event<?> input) {
      Long number = recordsOf.get(key(input));
      assertThat(number).as("record of answered %s", input).isNotNull();
      assertThat(journal.kept.forcedNumber())
          .as("forced when %s is answered", input)
          .isGreaterThanOrEqualTo(number);
      mustBeThere = Math.max(mustBeThere, number);
    }

    void turn() throws IOException {
      List<Message> messages = List.copyOf(inbox);
      inbox.clear();
      turnAt = Long.MAX_VALUE;
      long next = engine.turn(messages);
      if (next != Long.MAX_VALUE) {
        turnAt = Math.min(turnAt, time.now() + Math.max(0, next - clock.getAsLong()));
      }
    }
  }

  /** Notes what a loop writes, and what it had then. */
  private final class NotingJournal implements Journal {
    final Journal kept;
    private long forced; // up to this record by the latest force, and by the one before
    private long forcedBefore;
    private long failedPasses; // until the latest one that did not fail

    NotingJournal(Journal kept) {
      this.kept = kept;
      forced = kept.forcedNumber();
      forcedBefore = forced;
    }

    private void noteForced() {
      if (kept.forcedNumber() > forced) {
        forcedBefore = forced;
        forced = kept.forcedNumber();
        lastForcedBefore = forcedBefore;
      }
    }

    private void mark() {
      if (crashes == 0 && !expected.isEmpty()) {
        return; // as in the run without crashes
      }
      if (life != null
          && life.journal == this
          && life.engine.counts().failedPasses == failedPasses) { // else the time has moved on
        LoopEngine engine = life.engine;
        marks.put(
            kept.lastNumber(),
            new Mark(
                engine.scheduler().digest(),
                engine.actions().all().stream().map(each -> each.id).collect(Collectors.toSet())));
      }
    }

    @Override
    public long append(byte[] record) throws IOException {
      Entry entry = EntryFormat.read(record);
      if (!(entry instanceof Entry.Passed)) { // the pass has changed the state already
        mark();
      }
      if (entry instanceof Entry.Passed && life != null) {
        failedPasses = life.engine.counts().failedPasses;
      }
      records.add(record.clone());
      long number = records.size();
      if (entry instanceof Entry.Applied applied) {
        recordsOf.put(key(applied.input()), number);
      } else if (entry instanceof Entry.Passed passed) {
        recordsOfPasses.put(passed.pass(), number);
      }
      try {
        assertThat(kept.append(record)).isEqualTo(number);
        noteForced();
      } catch (SimulatedDisk.Crash crash) {
        throw new Died(crash);
      }
      return number;
    }

    @Override
    public void force() throws IOException {
      mark();
      try {
        kept.force();
        noteForced();
      } catch (SimulatedDisk.Crash crash) {
        throw new Died(crash);
      }
    }

    @Override
    public void saveSnapshot(long number, SnapshotContent content) throws IOException {
      try {
        kept.saveSnapshot(number, content);
        noteForced();
      } catch (SimulatedDisk.Crash crash) {
        throw new Died(crash);
      }
    }

    @Override
    public long compact() throws IOException {
      try {
        return kept.compact();
      } catch (SimulatedDisk.Crash crash) {
        throw new Died(crash);
      }
    }

    @Override
    public long lastNumber() {
      return kept.lastNumber();
    }

    @Override
    public long firstNumber() {
      return kept.firstNumber();
    }

    @Override
    public long forcedNumber() {
      return kept.forcedNumber();
    }

    @Override
    public long fence() {
      return kept.fence();
    }

    @Override
    public long size() {
      return kept.size();
    }

    @Override
    public JournalCursor read(long from) throws IOException {
      return kept.read(from);
    }

    @Override
    public Optional<JournalSnapshot> latestSnapshot() throws IOException {
      return kept.latestSnapshot();
    }

    @Override
    public void close() throws IOException {
      kept.close();
    }
  }

  /** Starts a loop; a crash of the disk while it recovers makes it start anew. */
  void start() throws IOException {
    while (life == null) {
      Journal journal = null;
      try {
        journal = disk.openJournal(options);
        long found = journal.lastNumber();
        checkFound(journal);
        Life next = new Life(new NotingJournal(journal));
        checkRecovered(next, found);
        life = next;
        lives++;
      } catch (SimulatedDisk.Crash | Died crash) {
        crashed();
      } catch (JournalDamagedException damaged) {
        throw damaged;
      } catch (IOException failing) {
        stopped(journal);
      }
    }
    List<Runnable> again = List.copyOf(unanswered);
    unanswered.clear();
    for (Runnable each : again) {
      resending++;
      time.after(
          random.nextInt(2000) * 1_000_000L,
          () -> {
            resending--;
            each.run();
          });
    }
  }

  private void checkFound(Journal journal) throws IOException {
    long found = journal.lastNumber();
    assertThat(found).as("last record found").isBetween(mustBeThere, (long) records.size());
    try (JournalCursor cursor = journal.read(journal.firstNumber())) {
      while (cursor.next()) {
        assertThat(cursor.bytes())
            .as("record %s", cursor.number())
            .isEqualTo(records.get((int) cursor.number() - 1));
      }
    }
    records.subList((int) found, records.size()).clear();
    if (crashes + failures > 0) {
      shared = Math.min(shared, found);
    }
    marks.keySet().removeIf(each -> each > found);
    recordsOf.values().removeIf(each -> each > found);
    recordsOfPasses.values().removeIf(each -> each > found);
  }

  private void checkRecovered(Life next, long found) {
    Mark mark = marks.get(found);
    if (mark == null && found <= shared) {
      mark = expected.get(found);
    }
    if (mark == null) {
      mark = replayed(found);
    }
    assertThat(next.engine.scheduler().digest())
        .as("digest at record %s", found)
        .isEqualTo(mark.digest());
    assertThat(next.engine.actions().all().stream().map(each -> each.id))
        .as("open actions at record %s", found)
        .containsExactlyInAnyOrderElementsOf(mark.open());
  }

  /** Returns what all records until one lead to, without a snapshot. */
  private Mark replayed(long last) {
    ActionQueue actions = new ActionQueue(1);
    Replayer replayer = new Replayer(saved -> scheduler(seed), actions, new Replay.Listener() {});
    for (int i = 0; i < last; i++) {
      replayer.apply(i + 1, EntryFormat.read(records.get(i)));
    }
    Scheduler scheduler = replayer.hasScheduler() ? replayer.scheduler() : scheduler(seed).build();
    return new Mark(
        scheduler.digest(),
        actions.all().stream().map(each -> each.id).collect(Collectors.toSet()));
  }

  /** The disk has failed, and works again: it was full, or a force did not succeed. */
  private void stopped(Journal journal) {
    failures++;
    if (life != null) {
      life.isOver = true;
      life = null;
    }
    if (journal != null) {
      try {
        journal.close();
      } catch (IOException | SimulatedDisk.Crash again) {
        disk.kill();
      }
    }
    disk.limitTo(Long.MAX_VALUE);
  }

  /** Returns how often the disk failed. */
  long failures() {
    return failures;
  }

  private void crashed() {
    crashes++;
    if (life != null) {
      life.isOver = true;
      life = null;
    }
    if (fates.nextInt(3) > 0) {
      disk.failPower();
    } else {
      disk.kill();
    }
    if (fates.nextInt(4) == 0) {
      disk.crashAt(1 + fates.nextInt(12)); // while it recovers, or soon after
    }
  }

  /** Returns an event without the time of a report, which the loop changes if it is ahead. */
  private static String key(Event<?> event) {
    return event.toString().replaceAll("at=OptionalLong\\S*", "");
  }

  // ---- Time

  /** Sets the clock of the loop: right, or back by up to an hour, or ahead by up to ten minutes. */
  private void setClock() {
    switch (clocks.nextInt(4)) {
      case 0 -> offset = -clocks.nextInt(3600) * SECOND;
      case 1 -> offset = clocks.nextInt(600) * SECOND;
      default -> offset = 0;
    }
  }

  boolean hasEnded() {
    return time.now() > faultsUntil
        && unanswered.isEmpty()
        && resending == 0
        && fleet.guests().isEmpty()
        && life != null
        && life.engine.scheduler().instanceCount() == 0
        && life.engine.actions().size() == 0
        && fleet.allMachinesUp()
        && life.engine.scheduler().hosts().size() == fleet.machineCount()
        && life.engine.scheduler().hosts().stream().allMatch(LoopWorld::isWithoutStrays);
  }

  /** What a stray holds is foreign load until the next comparison. */
  private static boolean isWithoutStrays(Host host) {
    return host.foreign().equals(Resources.none());
  }

  /** Lets all happen until all work is done. */
  void run() throws IOException {
    long longest = faultsUntil + 900 * SECOND;
    while (!hasEnded()) {
      assertThat(time.now()).as("end of all work: %s", this).isLessThan(longest);
      step();
    }
    checkEnd();
  }

  /** Lets all happen until the first crash; returns whether there was one. */
  boolean runUntilCrash() throws IOException {
    while (life != null && !hasEnded()) {
      step();
    }
    return life == null;
  }

  /**
   * Starts again after a crash and a damage of the disk. The last force may have been damaged too:
   * then what it wrote may look like a torn tail.
   */
  void startDamaged() throws IOException {
    disk.crashAt(1L << 40); // not while it recovers
    mustBeThere = Math.min(mustBeThere, lastForcedBefore);
    start();
  }

  private void step() throws IOException {
    if (life == null) {
      long until = time.now() + fates.nextInt(20) * SECOND;
      while (time.next() <= until) {
        time.runNext();
      }
      time.advanceTo(until);
      start();
      return;
    }
    if (time.next() <= life.turnAt) {
      time.runNext();
    } else {
      assertThat(life.turnAt).as("next turn").isLessThan(Long.MAX_VALUE);
      time.advanceTo(life.turnAt);
      try {
        life.turn();
      } catch (Died died) {
        crashed();
      } catch (IOException failing) { // of the disk
        stopped(life.journal);
      }
    }
    if (failed != null) {
      throw failed;
    }
    assertThat(fleet.violations()).isEmpty();
  }

  /**
   * Checks that no request was lost, and that scheduler and fleet agree: a last comparison finds no
   * difference.
   */
  private void checkEnd() throws IOException {
    Set<String> over = new HashSet<>(fleet.done());
    over.addAll(cancelled);
    over.addAll(limited); // no instance is left
    assertThat(over).containsAll(submitted);
    CompletableFuture<Reconciliation> answer = new CompletableFuture<>();
    life.receive(new LoopEngine.ReconcileWish(answer));
    while (!answer.isDone()) {
      step();
      if (life == null) { // it crashed
        start();
        life.receive(new LoopEngine.ReconcileWish(answer));
      }
    }
    assertThat(answer.join().differences()).isEmpty();
    Observation truth = fleet.observation();
    Scheduler scheduler = life.engine.scheduler();
    assertThat(scheduler.hosts().stream().map(each -> each.id()).collect(Collectors.toSet()))
        .isEqualTo(
            truth.hosts().stream().map(each -> each.spec().id()).collect(Collectors.toSet()));
    assertThat(scheduler.instances().stream().map(Instance::id).collect(Collectors.toSet()))
        .isEqualTo(
            truth.instances().stream().map(ObservedInstance::id).collect(Collectors.toSet()));
    life.journal.mark();
  }

  /** Returns how many inputs are in the journal. */
  long events() {
    return records.stream().filter(each -> EntryFormat.read(each) instanceof Entry.Applied).count();
  }

  long crashes() {
    return crashes;
  }

  int lives() {
    return lives;
  }

  FileJournalOptions options() {
    return options;
  }

  long seed() {
    return seed;
  }

  Journal journal() {
    return life.journal.kept;
  }

  LoopEngine engine() {
    return life.engine;
  }

  @Override
  public String toString() {
    return "%s crashes, %s records, at %s s, fleet with %s, %s"
        .formatted(crashes, records.size(), time.now() / SECOND, fleet.guests(), fleet.counts());
  }
}
