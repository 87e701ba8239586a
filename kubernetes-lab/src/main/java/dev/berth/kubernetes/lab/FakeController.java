package dev.berth.kubernetes.lab;

import static java.util.Objects.requireNonNull;

import dev.berth.kubernetes.binding.ApiCalls.Answer;
import dev.berth.kubernetes.lab.ApiWriter.Request;
import dev.berth.kubernetes.lab.FakeOwner.Kind;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the controllers of replica sets, stateful sets and jobs: it keeps as many pods of each
 * owner as the owner requires.
 *
 * <p>It survives closed watches and an API server that is away: it lists again, and repeats its
 * writes. Names of pods depend on the seed and on the owner, and on how many pods it has had.
 *
 * <p>Safe for use by several threads. It has one thread of its own beside those of the client, and
 * sends up to eight requests at a time.
 */
public final class FakeController implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FakeController.class);

  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int RANDOM_LETTERS = 5;
  private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofSeconds(1);
  private static final Duration RESYNC = Duration.ofSeconds(5);

  private final long seed;
  private final LabClient client;
  private final AtomicLong created = new AtomicLong();

  // Only tasks of the loop touch it.
  private final Map<String, OwnerState> owners = new LinkedHashMap<>();

  private FakeController(Config config, long seed) {
    this.seed = seed;
    this.client = LabClient.open(config, "berth-fake-controller", false, this::seen, this::gone);
    client.loop.execute(this::resync);
  }

  /**
   * Connects to an API server. There are no owners yet.
   *
   * @param config of a user that may list, watch, create and delete pods
   * @throws IllegalStateException if the server does not answer for a minute
   */
  public static FakeController start(Config config, long seed) {
    return new FakeController(requireNonNull(config, "config"), seed);
  }

  /**
   * Keeps the pods of an owner from now on, those that exist included. If the owner is kept
   * already, this changes its number of pods and its template; pods that exist stay as they are,
   * but those that are too many are deleted. Returns at once.
   */
  public void keep(FakeOwner owner) {
    requireNonNull(owner, "owner");
    client.loop.execute(
        () -> {
          @Nullable OwnerState known = owners.get(owner.uid());
          if (known != null) {
            known.owner = owner;
            known.reconcile();
            return;
          }
          OwnerState state = new OwnerState(owner);
          owners.put(owner.uid(), state);
          client.pods().stream()
              .filter(pod -> owner.uid().equals(ownerOf(pod)))
              .forEach(state::update);
          state.reconcile();
        });
  }

  /** Forgets an owner. Its pods stay, and are not replaced any more. Returns at once. */
  public void release(FakeOwner owner) {
    client.loop.execute(() -> owners.remove(owner.uid()));
  }

  /** Returns how many pods it has created. */
  public long created() {
    return created.get();
  }

  /** Disconnects. Pods stay as they are. */
  @Override
  public void close() {
    client.close();
  }

  private void seen(Pod pod) {
    @Nullable OwnerState state = owners.get(ownerOf(pod));
    if (state != null) {
      state.update(pod);
      state.reconcile();
    }
  }

  private void gone(Pod pod) {
    @Nullable OwnerState state = owners.get(ownerOf(pod));
    if (state != null) {
      state.forget(pod.getMetadata().getUid());
      state.reconcile();
    }
  }

  /** A pod that came and went while the watch was closed never shows: looks for such pods. */
  private void resync() {
    Set<String> present =
        client.pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    for (OwnerState state : owners.values()) {
      for (Member member : List.copyOf(state.members.values())) {
        if (System.nanoTime() - member.since > RESYNC.toNanos() && !present.contains(member.uid)) {
          state.forget(member.uid);
        }
      }
      state.reconcile();
    }
    var unused = client.loop.schedule(RESYNC, this::resync);
  }

  /** Returns the UID of the controller of a pod, or an empty text. */
  private static String ownerOf(Pod pod) {
    return pod.getMetadata().getOwnerReferences().stream()
        .filter(reference -> Boolean.TRUE.equals(reference.getController()))
        .map(OwnerReference::getUid)
        .findFirst()
        .orElse("");
  }

  private enum Stage {
    ACTIVE,
    LEAVING,
    FAILED,
    SUCCEEDED
  }

  private static final class Member {
    final String uid;
    final String name;
    final int number;
    final long since = System.nanoTime();
    Stage stage = Stage.ACTIVE;
    boolean isDeleted;

    Member(String uid, String name, int number) {
      this.uid = uid;
      this.name = name;
      this.number = number;
    }
  }

  private final class OwnerState {
    FakeOwner owner;
    final Map<String, Member> members = new LinkedHashMap<>();

    private final RandomGenerator random;
    // Pods whose creation is under way, by name, with their numbers.
    private final Map<String, Integer> creating = new HashMap<>();
    private final Set<String> gone = new HashSet<>();
    private final Map<String, Integer> completed = new HashMap<>();
    private int active;
    private boolean isPaused;

    OwnerState(FakeOwner owner) {
      this.owner = owner;
      this.random =
          LabClient.random(
              seed, owner.kind().object() + "/" + owner.namespace() + "/" + owner.name());
    }

    void update(Pod pod) {
      String uid = pod.getMetadata().getUid();
      Member member = add(uid, pod.getMetadata().getName(), numberOf(pod));
      // Events from before its deletion may still come.
      change(member, member.isDeleted ? Stage.LEAVING : stageOf(pod));
      if (member.stage == Stage.SUCCEEDED) {
        completed.put(uid, member.number);
      }
    }

    void forget(String uid) {
      @Nullable Member member = members.remove(uid);
      if (member != null) {
        change(member, Stage.LEAVING);
      }
      gone.add(uid);
    }

    private Member add(String uid, String name, int number) {
      @Nullable Member known = members.get(uid);
      if (known != null) {
        return known;
      }
      Member member = new Member(uid, name, number);
      members.put(uid, member);
      active++;
      return member;
    }

    private void change(Member member, Stage stage) {
      active += (stage == Stage.ACTIVE ? 1 : 0) - (member.stage == Stage.ACTIVE ? 1 : 0);
      member.stage = stage;
    }

    void reconcile() {
      if (isPaused || owners.get(owner.uid()) != this) {
        return;
      }
      if (owner.kind() == Kind.STATEFUL_SET) {
        deleteFrom(0, member -> member.stage == Stage.FAILED || member.stage == Stage.SUCCEEDED);
      }
      if (owner.kind().isNumbered()) {
        BitSet taken = takenNumbers();
        for (int number = 0; number < owner.pods(); number++) {
          if (!taken.get(number)) {
            create(number);
          }
        }
        deleteFrom(0, member -> member.stage == Stage.ACTIVE && member.number >= owner.pods());
      } else {
        int done = owner.kind() == Kind.JOB ? completed.size() : 0;
        int wanted = Math.max(0, owner.pods() - done);
        for (int i = active + creating.size(); i < wanted; i++) {
          create(-1);
        }
        if (active > wanted) {
          deleteFrom(wanted, member -> member.stage == Stage.ACTIVE);
        }
      }
    }

    /** Deletes the members of a kind, apart from the first ones. */
    private void deleteFrom(int first, Predicate<Member> kind) {
      members.values().stream().filter(kind).skip(first).toList().forEach(this::delete);
    }

    private BitSet takenNumbers() {
      BitSet taken = new BitSet();
      creating.values().forEach(taken::set);
      if (owner.kind() == Kind.INDEXED_JOB) {
        completed.values().forEach(taken::set);
      }
      for (Member member : members.values()) {
        // A pod of a stateful set has its number as long as it exists.
        boolean counts = member.stage == Stage.ACTIVE || owner.kind() == Kind.STATEFUL_SET;
        if (counts && member.number >= 0) {
          taken.set(member.number);
        }
      }
      return taken;
    }

    private void create(int number) {
      String name = name(number);
      creating.put(name, number);
      Pod pod = pod(name, number);
      client.send(
          Request.post(
              owner.uid() + name,
              "/api/v1/namespaces/%s/pods".formatted(owner.namespace()),
              client.json(pod)),
          answer -> created(name, number, answer));
    }

    private void created(String name, int number, Answer answer) {
      creating.remove(name);
      if (answer.isSuccess()) {
        String uid = client.read(answer.body(), Pod.class).getMetadata().getUid();
        created.incrementAndGet();
        if (!gone.contains(uid)) {
          add(uid, name, number);
        }
        return;
      }
      // 409: the name is in use, perhaps by this very pod, if the first answer was lost.
      if (answer.code() != 409) {
        LOG.warn("Pod {} was refused: {} {}", name, answer.code(), answer.body());
      }
      isPaused = true;
      var unused =
          client.loop.schedule(
              PAUSE_AFTER_REFUSAL,
              () -> {
                isPaused = false;
                reconcile();
              });
    }

    private void delete(Member member) {
      member.isDeleted = true;
      change(member, Stage.LEAVING);
      client.send(
          Request.delete(
              owner.uid() + member.name,
              "/api/v1/namespaces/%s/pods/%s".formatted(owner.namespace(), member.name),
              "{\"preconditions\":{\"uid\":\"%s\"}}".formatted(member.uid)),
          answer -> {
            if (!answer.isSuccess() && answer.code() != 404 && answer.code() != 409) {
              LOG.warn("Pod {} was not deleted: {} {}", member.name, answer.code(), answer.body());
            }
          });
    }

    private Pod pod(String name, int number) {
      PodBuilder pod =
          new PodBuilder()
              .withMetadata(copyOf(owner.template().getMetadata()))
              .withSpec(owner.template().getSpec())
              .editMetadata()
              .withNamespace(owner.namespace())
              .withName(name)
              .addNewOwnerReference()
              .withApiVersion(owner.kind().apiVersion())
              .withKind(owner.kind().object())
              .withName(owner.name())
              .withUid(owner.uid())
              .withController(true)
              .withBlockOwnerDeletion(true)
              .endOwnerReference()
              .endMetadata();
      if (owner.kind() == Kind.STATEFUL_SET) {
        pod.editMetadata().addToLabels("statefulset.kubernetes.io/pod-name", name).endMetadata();
      } else if (owner.kind() == Kind.INDEXED_JOB) {
        pod.editMetadata()
            .addToAnnotations(Kind.COMPLETION_INDEX, Integer.toString(number))
            .endMetadata();
      }
      return pod.build();
    }

    private static ObjectMeta copyOf(@Nullable ObjectMeta metadata) {
      return metadata == null ? new ObjectMeta() : metadata.edit().build();
    }

    private String name(int number) {
      if (owner.kind() == Kind.STATEFUL_SET) {
        return owner.name() + "-" + number;
      }
      StringBuilder name = new StringBuilder(owner.name()).append('-');
      if (owner.kind() == Kind.INDEXED_JOB) {
        name.append(number).append('-');
      }
      for (int i = 0; i < RANDOM_LETTERS; i++) {
        name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      return name.toString();
    }

    private int numberOf(Pod pod) {
      String name = pod.getMetadata().getName();
      @Nullable String text = null;
      if (owner.kind() == Kind.STATEFUL_SET) {
        text = name.substring(name.lastIndexOf('-') + 1);
      } else if (owner.kind() == Kind.INDEXED_JOB) {
        text = pod.getMetadata().getAnnotations().get(Kind.COMPLETION_INDEX);
      }
      return text == null ? -1 : Integer.parseInt(text);
    }

    private static Stage stageOf(Pod pod) {
      String phase = pod.getStatus().getPhase();
      if ("Succeeded".equals(phase)) {
        return Stage.SUCCEEDED;
      }
      if ("Failed".equals(phase)) {
        return Stage.FAILED;
      }
      return pod.getMetadata().getDeletionTimestamp() == null ? Stage.ACTIVE : Stage.LEAVING;
    }
  }
}
