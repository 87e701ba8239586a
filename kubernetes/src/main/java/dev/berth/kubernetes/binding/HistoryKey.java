package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.binding.ApiCalls.Answer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key by which the scheduler seals what it writes on pods, so that it believes nothing that
 * others wrote there. Immutable.
 *
 * <p>It is in a Secret of the scheduler's namespace, so that all its processes and versions have
 * it.
 */
final class HistoryKey {

  /** The Secret. */
  static final String SECRET = "berth-history-key";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;

  private final SecretKeySpec key;

  HistoryKey(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** Reads the Secret; makes it if there is none. Fails if the API server does not answer. */
  static CompletableFuture<HistoryKey> load(
      ApiCalls calls, KubernetesSerialization json, String namespace) {
    String all = "/api/v1/namespaces/%s/secrets".formatted(namespace);
    String one = all + "/" + SECRET;
    return calls
        .get(one)
        .thenCompose(
            found ->
                found.code() != 404
                    ? CompletableFuture.completedFuture(found)
                    : calls
                        .post(all, json.asJson(secret(namespace)))
                        // Another process may have made it in the meantime.
                        .thenCompose(made -> made.code() == 409 ? calls.get(one) : done(made)))
        .thenApply(answer -> read(answer, json, namespace + "/" + SECRET));
  }

  private static CompletionStage<Answer> done(Answer answer) {
    return CompletableFuture.completedFuture(answer);
  }

  private static Map<String, Object> secret(String namespace) {
    byte[] fresh = new byte[BYTES];
    new SecureRandom().nextBytes(fresh);
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Secret",
        "immutable",
        true,
        "metadata",
        Map.of("name", SECRET, "namespace", namespace),
        "data",
        Map.of("key", Base64.getEncoder().encodeToString(fresh)));
  }

  private static HistoryKey read(Answer answer, KubernetesSerialization json, String name) {
    if (!answer.isSuccess()) {
      throw new IllegalStateException(
          "could not read or make Secret %s: %s. Its namespace must be there, and rbac.yaml applied."
              .formatted(name, answer.code()));
    }
    Object data = json.unmarshal(answer.body(), Map.class).get("data");
    byte[] key = new byte[0];
    try {
      if (data instanceof Map<?, ?> values) {
        key = Base64.getDecoder().decode(String.valueOf(values.get("key")));
      }
    } catch (IllegalArgumentException damaged) {
      // as if it had none
    }
    if (key.length < BYTES) {
      throw new IllegalStateException(
          "Secret %s must have at least %s bytes under key. Delete it, and another is made."
              .formatted(name, BYTES));
    }
    return new HistoryKey(key);
  }

  /** Returns the seal of a text about a pod. */
  String seal(String uid, String text) {
    return Base64.getEncoder().withoutPadding().encodeToString(code(uid, text));
  }

  /**
   * Returns whether a seal is that of a text about a pod. It takes as long wherever they differ.
   */
  boolean isSealed(String uid, String text, String seal) {
    return MessageDigest.isEqual(
        seal(uid, text).getBytes(StandardCharsets.UTF_8), seal.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] code(String uid, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal((uid + "\n" + text).getBytes(StandardCharsets.UTF_8)); // no UID has a line
    } catch (GeneralSecurityException impossible) { // every Java platform has it
      throw new IllegalStateException(impossible);
    }
  }
}
