package io.github.ratelimit.release;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The files of a release, held against the rules of the central portal: "Requirements" in its documentation, as of November 2026.
 *
 * @param files by their path in the bundle
 */
record Bundle(Map<String, byte[]> files) {

    private static final List<String> POM_ELEMENTS = List.of(
            "<name>",
            "<description>",
            "<url>",
            "<licenses>",
            "<license>",
            "<developers>",
            "<developer>",
            "<scm",
            "<connection>",
            "<developerConnection>");

    static Bundle read(InputStream zip) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (ZipInputStream in = new ZipInputStream(zip)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return new Bundle(files);
    }

    /** What the portal would reject; empty for a good bundle. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (String pom : files.keySet()) {
            if (pom.endsWith(".pom")) {
                checkModule(pom, problems);
            }
        }
        for (String file : files.keySet()) {
            if (isSignedAndSummed(file)) {
                checkFile(file, problems);
            }
        }
        if (files.keySet().stream().noneMatch(file -> file.endsWith(".pom"))) {
            problems.add("there is no POM");
        }
        return problems;
    }

    /** The artifacts without their versions: {@code ratelimit-core.pom}, {@code ratelimit-core-sources.jar}. */
    TreeSet<String> artifacts() {
        return files.keySet().stream()
                .filter(Bundle::isSignedAndSummed)
                .map(file -> file.substring(file.lastIndexOf('/') + 1).replaceFirst("-\\d+\\.\\d+\\.\\d+", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isSignedAndSummed(String file) {
        return !file.matches(".*\\.(asc|md5|sha1|sha256|sha512)") && !file.contains("maven-metadata");
    }

    private void checkModule(String pom, List<String> problems) {
        String text = new String(files.get(pom), StandardCharsets.UTF_8);
        for (String element : POM_ELEMENTS) {
            if (!text.contains(element)) {
                problems.add(pom + ": there is no " + element);
            }
        }
        String[] path = pom.split("/");
        String version = path[path.length - 2];
        String artifact = path[path.length - 3];
        String group = String.join(".", List.of(path).subList(0, path.length - 3));
        for (String coordinate : List.of(
                "<groupId>" + group + "</groupId>",
                "<artifactId>" + artifact + "</artifactId>",
                "<version>" + version + "</version>")) {
            if (!text.contains(coordinate)) {
                problems.add(pom + ": there is no " + coordinate);
            }
        }
        if (version.endsWith("-SNAPSHOT") || text.contains("-SNAPSHOT</version>")) {
            problems.add(pom + ": a release has no SNAPSHOT");
        }
        if (text.contains("<parent>")) {
            problems.add(pom + ": it has a parent, so it is not flattened");
        }
        if (!text.contains("<packaging>pom</packaging>")) {
            String base = pom.substring(0, pom.length() - ".pom".length());
            for (String jar : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
                if (!files.containsKey(base + jar)) {
                    problems.add(base + jar + ": missing");
                }
            }
        }
    }

    private void checkFile(String file, List<String> problems) {
        if (file.endsWith("-tests.jar")) {
            problems.add(file + ": tests are not published");
        }
        byte[] signature = files.get(file + ".asc");
        if (signature == null
                || !new String(signature, StandardCharsets.US_ASCII).startsWith("-----BEGIN PGP SIGNATURE-----")) {
            problems.add(file + ": it is not signed");
        }
        for (Map.Entry<String, String> sum :
                Map.of("md5", "MD5", "sha1", "SHA-1").entrySet()) {
            byte[] told = files.get(file + "." + sum.getKey());
            if (told == null
                    || !new String(told, StandardCharsets.US_ASCII)
                            .strip()
                            .equals(digest(sum.getValue(), files.get(file)))) {
                problems.add(file + ": its " + sum.getKey() + " is missing or wrong");
            }
        }
    }

    static String digest(String algorithm, byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has these
        }
    }
}
