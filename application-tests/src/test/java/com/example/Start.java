package com.example;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts an application as its {@code main} method would, with the configuration in its own folder, on free ports. */
public final class Start {

    private Start() {}

    public static ConfigurableApplicationContext of(Class<?> application, String... arguments) {
        String folder = application.getPackageName().replace("com.example.", "");
        List<String> all = new ArrayList<>(List.of(
                "--spring.config.location=classpath:/" + folder + "/application.yml",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=immediate", // a graceful one waits 30 s for connections that are only kept alive
                "--spring.main.banner-mode=off",
                "--spring.main.register-shutdown-hook=false"));
        all.addAll(List.of(arguments));
        return SpringApplication.run(application, all.toArray(String[]::new));
    }
}
