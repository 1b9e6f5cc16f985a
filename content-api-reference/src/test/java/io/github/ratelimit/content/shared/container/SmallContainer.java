package io.github.ratelimit.content.shared.container;

import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** The container with our protocol and one servlet, and nothing else. */
final class SmallContainer implements AutoCloseable {
    private static final String PASSWORD = "of-a-test";

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector;
    private final SSLContext trust;
    private final boolean isEncrypted;

    /**
     * Starts one.
     *
     * @param directory a temporary one
     */
    SmallContainer(Path directory, boolean isEncrypted, Transfers transfers, HttpServlet servlet)
            throws LifecycleException, IOException, GeneralSecurityException {
        this(directory, isEncrypted, new PeerConnections(1000, 64, peer -> false), transfers, servlet);
    }

    /** Starts one that holds so many connections. */
    SmallContainer(
            Path directory, boolean isEncrypted, PeerConnections connections, Transfers transfers, HttpServlet servlet)
            throws LifecycleException, IOException, GeneralSecurityException {
        BoundedProtocol protocol = new BoundedProtocol();
        protocol.bound(connections, transfers);
        this.isEncrypted = isEncrypted;
        this.connector = new Connector(protocol);
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("socket.appWriteBufSize", "0");
        connector.setProperty("connectionTimeout", "600000"); // longer than any test
        this.trust = SSLContext.getInstance("TLS");
        if (isEncrypted) {
            encrypt(directory.resolve("keys.p12"));
        }
        tomcat.setBaseDir(directory.toString());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        Tomcat.addServlet(context, "servlet", servlet);
        context.addServletMappingDecoded("/*", "servlet");
        tomcat.getEngine().getPipeline().addValve(new BodyValve(transfers));
        tomcat.start();
    }

    private void encrypt(Path keys) throws IOException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!Files.exists(keys)) {
            throw new IOException(said);
        }
        KeyStore known = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
        TrustManagerFactory trusting = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", known.getCertificate("server"));
        trusting.init(trusted);
        trust.init(null, trusting.getTrustManagers(), null);
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(keys.toString());
        certificate.setCertificateKeystorePassword(PASSWORD);
        host.addCertificate(certificate);
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        connector.addSslHostConfig(host);
    }

    /** Tells the address, without a slash at its end. */
    String base() {
        return (isEncrypted ? "https" : "http") + "://127.0.0.1:" + connector.getLocalPort();
    }

    /** Makes a client that trusts it. */
    HttpClient client() {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        return (isEncrypted ? builder.sslContext(trust) : builder).build();
    }

    /** Connects to it. */
    Socket connect() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        return isEncrypted
                ? trust.getSocketFactory().createSocket(here, connector.getLocalPort())
                : new Socket(here, connector.getLocalPort());
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }
}
