package dev.berth.kubernetes.manifests;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Notes what a client asks of the API server, as RBAC sees it, and what is forbidden. */
final class Requests implements Interceptor {

  private final Set<Request> made = ConcurrentHashMap.newKeySet();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private final Consumer<Request> before;

  /**
   * @param before called before each request that is about a resource
   */
  Requests(Consumer<Request> before) {
    this.before = before;
  }

  /**
   * One request about a resource.
   *
   * @param resource the resource, with a subresource such as {@code pods/binding}
   * @param namespace empty for all namespaces, and for what has none
   * @param name empty for a list, and for what is created
   */
  record Request(String verb, String group, String resource, String namespace, String name) {}

  Set<Request> made() {
    return made;
  }

  Set<String> forbidden() {
    return forbidden;
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    Request read = read(request.method(), request.uri());
    if (read != null) {
      made.add(read);
      before.accept(read);
    }
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    note(response);
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
    note(response);
    return CompletableFuture.completedFuture(false);
  }

  private void note(HttpResponse<?> response) {
    if (response.code() == 403 || response.code() == 401) {
      HttpRequest request = response.request();
      forbidden.add("%s %s %s".formatted(response.code(), request.method(), request.uri()));
    }
  }

  /** Returns what a request is about; null if it is about no resource. */
  static @Nullable Request read(String method, URI uri) {
    List<String> path = List.of(uri.getPath().replaceAll("^/|/$", "").split("/", -1));
    boolean isCore = path.get(0).equals("api");
    int start = isCore ? 2 : 3; // /api/VERSION/… and /apis/GROUP/VERSION/…
    if (!path.get(0).startsWith("api") || path.size() <= start) {
      return null;
    }
    List<String> parts = path.subList(start, path.size());
    boolean isNamespaced = parts.get(0).equals("namespaces") && parts.size() > 2;
    String namespace = isNamespaced ? parts.get(1) : "";
    List<String> rest = isNamespaced ? parts.subList(2, parts.size()) : parts;
    String name = rest.size() > 1 ? rest.get(1) : "";
    String resource = rest.get(0) + (rest.size() > 2 ? "/" + rest.get(2) : "");
    return new Request(
        verb(method, uri, name), isCore ? "" : path.get(1), resource, namespace, name);
  }

  private static String verb(String method, URI uri, String name) {
    if (method.equals("GET")) {
      boolean watches = uri.getQuery() != null && uri.getQuery().contains("watch=true");
      return watches ? "watch" : name.isEmpty() ? "list" : "get";
    }
    return Map.of("POST", "create", "PUT", "update", "PATCH", "patch", "DELETE", "delete")
        .getOrDefault(method, method);
  }
}
